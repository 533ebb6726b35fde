"""The leaderboard: an arena for searches, with rules, held-out cases and scores beside chance.

    schedulegym leaderboard run BOARD -o FOLDER      # a built-in board, or a file
    schedulegym leaderboard report FOLDER -o FILE.html
    schedulegym leaderboard submit ENTRY             # checks an entry's folder and packs it
    schedulegym leaderboard verify ENTRY             # runs again what an entry claims

On the engine of studies; needs the extra `studies` (`./sg setup studies`).
"""
from schedulegym import old_names as _old_names

_old_names.install()
