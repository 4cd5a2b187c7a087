"""The page of an exploration: what a reader may know who has nothing but this file.

`parts` is what all sections are made of; `answer`, `data`, `front`, `judged`, `compared`, `trust`, `use` and
`made` are sections; `whole` puts them together.
"""
