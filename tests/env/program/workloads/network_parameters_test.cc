#include "env/program/workloads/network.h"

#include <gtest/gtest.h>

namespace schedulegym {
namespace {

NetworkParameters SomeParameters() {
  NetworkParameters parameters;
  EXPECT_TRUE(parameters.Define("n", 16));
  EXPECT_TRUE(parameters.Define("tokens", 128));
  return parameters;
}

int64_t ValueOf(const std::string& text) { return SomeParameters().Evaluate(text).value(); }

std::string ParameterFault(const std::string& text) {
  const auto value = SomeParameters().Evaluate(text);
  return value.ok() ? "none" : value.error().message;
}

TEST(NetworkParametersTest, AreDefinedOnce) {
  NetworkParameters parameters = SomeParameters();
  EXPECT_FALSE(parameters.Define("n", 1));
  EXPECT_TRUE(parameters.Has("tokens"));
  EXPECT_FALSE(parameters.Has("token"));
  EXPECT_EQ(parameters.names(), (std::vector<std::string>{"n", "tokens"}));
}

TEST(NetworkParametersTest, CalculateAsUsual) {
  EXPECT_EQ(ValueOf("n"), 16);
  EXPECT_EQ(ValueOf(" 12 * n "), 192);
  EXPECT_EQ(ValueOf("n*tokens+1"), 2049);
  EXPECT_EQ(ValueOf("1+n*tokens"), 2049);
  EXPECT_EQ(ValueOf("tokens - n - 1"), 111);
  EXPECT_EQ(ValueOf("tokens / n / 2"), 4);
  EXPECT_EQ(ValueOf("(tokens - n) / (n / 2)"), 14);
}

TEST(NetworkParametersTest, SayWhatIsWrong) {
  EXPECT_EQ(ParameterFault("m"), "unknown parameter 'm': expected one of n, tokens");
  EXPECT_EQ(ParameterFault("token * 2"),
            "unknown parameter 'token': expected one of n, tokens (did you mean 'tokens'?)");
  EXPECT_EQ(ParameterFault("tokens / 3"),
            "found 'tokens / 3', which divides 128 by 3, expected a divisor of it");
  EXPECT_EQ(ParameterFault("n / (n - n)"),
            "found 'n / (n - n)', which divides 16 by 0, expected a divisor of it");
  EXPECT_EQ(ParameterFault("n n"), "found 'n n', expected an operator");
  EXPECT_EQ(ParameterFault("n * "),
            "found 'n *', expected integers and parameters with + - * / between them");
  EXPECT_EQ(ParameterFault("(n"), "found '(n', expected ')'");
  EXPECT_EQ(ParameterFault("n*n*n*n*n*n*n*n"),
            "found 'n*n*n*n*n*n*n*n', expected no more than 1000000000");
  EXPECT_EQ(ParameterFault(std::string(200, '(')),
            "found '" + std::string(200, '(') + "', expected fewer brackets");
}

TEST(NetworkParametersTest, FillOptions) {
  const NetworkParameters parameters = SomeParameters();
  EXPECT_EQ(*parameters.Fill("(b=n, m=4*n,k=7,dtype=f16)"), "(b=16, m=64,k=7,dtype=f16)");
  EXPECT_EQ(*parameters.Fill("(m=(n+tokens)/2,k=(n))"), "(m=72,k=16)");
  EXPECT_EQ(*parameters.Fill(""), "");
  EXPECT_EQ(*parameters.Fill("(m=2.5,k=\"a,n\",l=-3)"), "(m=2.5,k=\"a,n\",l=-3)");
  EXPECT_EQ(*parameters.Fill("(m=,k"), "(m=,k");
  EXPECT_EQ(parameters.Fill("(m=q)").error().message,
            "key 'm': unknown parameter 'q': expected one of n, tokens");
}

}  // namespace
}  // namespace schedulegym
