#include "env/base/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "env/base/fault.h"
#include "tests/support/input_fault.h"

namespace schedulegym {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "output_file_test";
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }
  // Contents of a file or a pipe, up to its end.
  static std::string Contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static std::string Refusal(const std::string& path) {
    return InputFaultOf([&] { WriteOutput(path, "new"); });
  }
  size_t Files() const { return std::distance(fs::directory_iterator(folder_), {}); }
  static fs::file_type TypeOf(const std::string& path) { return fs::symlink_status(path).type(); }

  std::string folder_;
};

TEST_F(OutputFileTest, AppearsWhenCommitted) {
  OutputFile file(Path("a.txt"));
  file.Write("text\n");
  EXPECT_FALSE(fs::exists(Path("a.txt")));
  file.Commit();
  EXPECT_EQ(Contents(Path("a.txt")), "text\n");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, LeavesNothingBehindOtherwise) {
  std::ofstream(Path("a.txt")) << "old";
  {
    OutputFile file(Path("a.txt"));
    file.Write("new");
  }
  EXPECT_EQ(Contents(Path("a.txt")), "old");
  EXPECT_EQ(Files(), 1u);
}

TEST_F(OutputFileTest, UnwritablePlacesAreBadInput) {
  EXPECT_THROW(OutputFile(Path("no/such/a.txt")), InputError);
  EXPECT_THROW(OutputFile file(folder_), InputError);
  EXPECT_THROW(OutputFile file(""), InputError);
  EXPECT_EQ(Files(), 0u);
}

TEST_F(OutputFileTest, PermissionsStayAsTheyWere) {
  std::ofstream(Path("a.txt")) << "old";
  ASSERT_EQ(chmod(Path("a.txt").c_str(), 0640), 0);
  WriteOutput(Path("a.txt"), "new");
  struct stat facts {};
  ASSERT_EQ(stat(Path("a.txt").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0640u);
}

TEST_F(OutputFileTest, OfLinksTheTargetIsReplaced) {
  fs::create_directory(Path("sub"));
  std::ofstream(Path("target")) << "old";
  fs::create_symlink("../target", Path("sub/near"));
  fs::create_symlink("sub/near", Path("far"));
  fs::create_symlink(folder_ + "/sub", Path("folder"));
  for (const char* name : {"sub/near", "far", "folder/near"}) {
    WriteOutput(Path(name), name);
    EXPECT_EQ(Contents(Path("target")), name);
    EXPECT_EQ(TypeOf(Path("target")), fs::file_type::regular);
    EXPECT_EQ(TypeOf(Path(name)), fs::file_type::symlink);
  }
  EXPECT_EQ(Files(), 4u);
}

TEST_F(OutputFileTest, ALinkToNothingMakesItsTarget) {
  fs::create_symlink("target", Path("link"));
  WriteOutput(Path("link"), "new");
  EXPECT_EQ(TypeOf(Path("link")), fs::file_type::symlink);
  EXPECT_EQ(TypeOf(Path("target")), fs::file_type::regular);
  EXPECT_EQ(Contents(Path("target")), "new");
}

TEST_F(OutputFileTest, ALoopOfLinksIsBadInput) {
  fs::create_symlink("b", Path("a"));
  fs::create_symlink("a", Path("b"));
  EXPECT_EQ(Refusal(Path("a")),
            "cannot write '" + Path("a") + "': Too many levels of symbolic links");
}

TEST_F(OutputFileTest, PipesAreWrittenTo) {
  ASSERT_EQ(mkfifo(Path("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = Contents(Path("pipe")); });
  WriteOutput(Path("pipe"), "new");
  reader.join();
  EXPECT_EQ(read, "new");
  EXPECT_EQ(TypeOf(Path("pipe")), fs::file_type::fifo);
  EXPECT_EQ(Files(), 1u);
  EXPECT_EQ(Refusal(Path("pipe")), "cannot write '" + Path("pipe") + "': nobody reads it");
}

// The reader closes the pipe without reading; no signal ends this process.
TEST_F(OutputFileTest, AClosedPipeIsBadInput) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  const std::string path = "/dev/fd/" + std::to_string(ends[1]);
  EXPECT_EQ(Refusal(path), "cannot write '" + path + "': Broken pipe");
  close(ends[1]);
  EXPECT_EQ(Refusal(path), "cannot write '" + path + "': Bad file descriptor");
}

// Like stdout that is redirected to a file: earlier text stays, and more may follow.
TEST_F(OutputFileTest, AnOpenDescriptorIsWrittenTo) {
  const int file = open(Path("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(write(file, "before ", 7), 7);
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) {
    WriteOutput(folder + std::to_string(file), "new ");
  }
  ASSERT_EQ(write(file, "after", 5), 5);
  close(file);
  EXPECT_EQ(Contents(Path("log")), "before new new after");
}

TEST_F(OutputFileTest, SocketsAreBadInput) {
  const int socket_file = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(Path("socket").size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, Path("socket").c_str());
  ASSERT_EQ(bind(socket_file, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(Refusal(Path("socket")), "cannot write '" + Path("socket") + "': it is a socket");
  EXPECT_EQ(TypeOf(Path("socket")), fs::file_type::socket);
  close(socket_file);
}

// The test makes its own device nodes: no other program needs them, should one be replaced.
TEST_F(OutputFileTest, DevicesAreWrittenTo) {
  constexpr int kMemory = 1, kNull = 3, kFull = 7;
  if (mknod(Path("null").c_str(), S_IFCHR | 0600, makedev(kMemory, kNull)) != 0 ||
      mknod(Path("full").c_str(), S_IFCHR | 0600, makedev(kMemory, kFull)) != 0) {
    GTEST_SKIP() << "only root makes devices: " << std::strerror(errno);
  }
  fs::create_symlink("null", Path("link"));
  if (access(Path("null").c_str(), W_OK) != 0) GTEST_SKIP() << "no devices in this folder";
  WriteOutput(Path("null"), "new");
  WriteOutput(Path("link"), "new");
  EXPECT_EQ(Refusal(Path("full")), "cannot write '" + Path("full") + "': No space left on device");
  EXPECT_EQ(TypeOf(Path("null")), fs::file_type::character);
  EXPECT_EQ(TypeOf(Path("full")), fs::file_type::character);
  EXPECT_EQ(TypeOf(Path("link")), fs::file_type::symlink);
  EXPECT_EQ(Files(), 3u);
}

}  // namespace
}  // namespace schedulegym
