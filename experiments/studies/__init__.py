"""Studies: compare searches over cases and seeds, with confidence intervals.

    schedulegym study FILE.toml -o FOLDER      # cases x arms x seeds; writes FOLDER/report.html
    schedulegym ablate FILE.toml -o FOLDER     # the same with factors and their levels
    schedulegym report FOLDER -o FILE.html     # draws the page again, or the page of a search's store

Needs the extra `studies` (`./sg setup studies`).
"""
from schedulegym import old_names as _old_names

_old_names.install()
