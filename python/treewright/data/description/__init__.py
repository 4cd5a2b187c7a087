"""A look at a table: what it holds, and what is worth a look before a tree is grown of it.

`facts` is what is known, `columns` looks at single columns, `rows` at equal rows, `pairs` at columns that
determine each other; `remarks` says what looks wrong, by the checks of every door (`treewright.data.checks`)
and by closer ones. `text` and `page` write it.
"""
