"""From what a user holds to plain columns.

Data flows one way: `table.read_table` lets the rows of weight 0 leave (`weights`), reads each column of an
opened container (`containers`, `vectors`) into one of four forms (`numbers` and booleans, `categories`,
`objects`), settles its kind (`schema`) and asks the form for numbers or for codes. `target` does the same for
y. What can be wrong is worded in `value_errors`, `table_errors` and `table_errors`.
"""
