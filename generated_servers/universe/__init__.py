"""One small invented population in real cities, on which all crafted environments draw.

`airports.jsonl` is fact (real codes, names and coordinates) and is edited by hand; the other tables are drawn by
`generate.py`: `people`, their `addresses`, `jobs` and `cards`, `companies`, and `cities` with their time zones.
Rows are drawn from the number or name of what they are about, so that raising the number of households adds
people and changes nobody. What happens in one environment and is known in others stands in `published/`.
"""
