"""One small invented population in real cities, from which crafted environments take their people.

`airports.jsonl` is fact (real codes, names and coordinates) and is edited by hand; `people.jsonl` is
drawn by `generate.py` from `names.py`. Rows are drawn one household at a time from the household's
own number, so that raising the number of households adds people and changes nobody.
"""
