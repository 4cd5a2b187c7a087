"""From what a user holds to plain columns.

Data flows one way: `table.read_table` opens the container (`container`, `arrays`, `frames`), lets
the rows of weight 0 leave (`weights`), reads each column into one of four forms (`numbers`,
`booleans`, `categories`, `objects`), settles its kind (`kinds`) and asks the form for numbers or
for codes. `target` does the same for y, `recode` for new data in a fitted domain. What can be
wrong is worded in `messages`.
"""
