"""A small file of programs, of which tests pack lines."""

HEADER = {"format": "points", "version": 1, "words": ["ansor", "chance", "one", "ok", "compile_error"],
          "steps": ["trace 1", "unroll(stage=C, loop=0)"],
          "tasks": [{"key": "0" * 32, "workload": "softmax(n=1,m=1000)", "target": "llvm", "dag": "",
                     "split": "networks"}]}
ROWS = [[0, 0, 1, 2, 3, [0, 1], 2e-3, [0.5, 0.49, 0.51], [2e-3, 2.1e-3]],
        [0, 0, 1, 2, 3, [0], 1e-3, [1.0, 0.99, 1.01], [1e-3]],
        [0, 0, 1, 2, 4, [0]]]
