"""Pictures of trees: one layout, and writers of it.

`chosen` says which nodes are shown, `words` what they say, `boxes` what stands in each, `layout` where; the
`Picture` of all that is written by `svg`, `figure` (matplotlib), `dot` and `page` (HTML).
"""
