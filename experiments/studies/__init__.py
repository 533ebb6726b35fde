"""Studies: searches compared over cases and seeds, and how sure the comparison is.

    schedulegym study FILE.toml -o FOLDER      # cases x arms x seeds, told in FOLDER/report.html
    schedulegym ablate FILE.toml -o FOLDER     # the same with factors and their levels
    schedulegym report FOLDER -o FILE.html     # the page again, or that of one search's store

Needs the extra `studies` (`./sg setup studies`).
"""
from schedulegym import old_names as _old_names

_old_names.install()
