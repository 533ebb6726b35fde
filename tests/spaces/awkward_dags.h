// AwkwardDags: small computations unlike the built-in operators.
#pragma once

namespace schedulegym {

inline constexpr const char* kAwkwardDags[] = {
    // a scalar from a scalar
    "input A[]\nB[] = A[] * 2\n",
    // a reduction to nothing, of prime length
    "input A[97]\nS[] = sum(i:97) A[i]\n",
    // all extents 1
    "input A[1, 1]\ninput B[1, 1]\nC[i:1, j:1] = sum(k:1) A[i, k] * B[k, j]\n",
    // columns, rows, and both of one tensor
    "input A[13, 40]\nC[j:40] = max(i:13) A[i, j]\nR[i:13] = min(j:40) A[i, j]\n"
    "Z[i:13, j:40] = A[i, j] - C[j] + R[i]\n",
    // a product over the outer of two reductions
    "input A[6, 5, 8]\nP[k:8] = prod(i:6, j:5) A[i, j, k]\n",
    // an output that others read
    "input A[12, 20]\nB[i:12, j:20] = exp(A[i, j])\nC[i:12] = sum(j:20) B[i, j]\noutput B\noutput "
    "C\n",
    // two matrix products in a chain
    "input A[9, 14]\ninput B[14, 11]\ninput D[11, 16]\nC[i:9, j:11] = sum(k:14) A[i, k] * B[k, j]\n"
    "E[i:9, j:16] = sum(k:11) C[i, k] * D[k, j]\n",
    // a diamond of reductions
    "input A[8, 24]\nM[i:8] = max(j:24) A[i, j]\nS[i:8] = sum(j:24) A[i, j]\n"
    "Q[i:8] = sum(j:24) (A[i, j] - M[i]) * (A[i, j] - S[i])\nY[i:8] = Q[i] + M[i] * S[i]\n",
    // the second operand read by rows
    "input A[10, 33]\ninput B[18, 33]\nC[i:10, j:18] = sum(k:33) A[i, k] * B[j, k]\n",
    // the diagonal
    "input A[15, 15]\nD[i:15] = A[i, i]\nE[i:15, j:15] = A[i, j] - D[j]\n",
    // indices with // and %
    "input A[24]\ninput B[6, 7]\nC[i:24, j:7] = sum(k:6) A[(i + 4 * k) % 24] * B[k, j] + A[i // "
    "3]\n",
    "input X[2, 3, 40]\nY[i:6, j:40] = X[i // 3, i % 3, j] + 1\nZ[j:40] = sum(i:6) Y[i, j] * Y[i, "
    "0]\n",
    // a reversed read, and a window maximum with padding
    "input A[30]\nB[i:30] = A[29 - i] * 2\nC[i:30] = max(r:5) select(i + r >= 2 && i + r < 32, B[i "
    "+ r - 2], -1000)\n",
    // integers
    "input A[7, 21]: i8\ninput B[21, 10]: i8\nC[i:7, j:10] = sum(k:21) i32(A[i, k]) * i32(B[k, "
    "j])\n",
    // partial sums whose lanes a read divides
    "input A[15]\nS[] = sum(k:16, r:15) A[r // 4] + A[k % 15]\n",
    // a weight read twice, once by an elementwise stage
    "input X[9, 12]\nweight W[12, 10]\nV[i:12, j:10] = W[i, j] * W[i, j]\n"
    "Y[i:9, j:10] = sum(k:12) X[i, k] * W[k, j] + 0\nZ[i:9, j:10] = Y[i, j] + V[i, j]\n",
    // a conv of a conv
    "input X[20, 3]\nweight A[3, 3, 5]\nweight B[3, 5, 4]\n"
    "Y[i:18, o:5] = sum(r:3, c:3) X[i + r, c] * A[r, c, o]\n"
    "Z[i:16, o:4] = sum(r:3, c:5) Y[i + r, c] * B[r, c, o]\n",
    // results of two channels, which fill no vector, and their reader
    "input X[3, 20, 16]\nweight W[3, 16, 2]\nY[n:3, x:18, o:2] = sum(r:3, c:16) X[n, x + r, c] * "
    "W[r, c, o]\nZ[n:3, x:18, o:2] = max(Y[n, x, o], 0)\n",
    // a transposed convolution to three channels
    "input X[9, 16]\nweight W[4, 16, 3]\nY[x:18, o:3] = sum(r:4, c:16) select((x + r - 2) % 2 == 0 "
    "&& x + r >= 2 && x + r < 20, X[(x + r - 2) // 2, c], 0) * W[3 - r, c, o]\n",
};

}  // namespace schedulegym
