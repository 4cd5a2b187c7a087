"""Evolution: `learn_pruner` finds a pruning rule, `ProgramEvolver` a program for a problem of one's own.

A pruning rule is a formula of two numbers of a leaf; thousands a second are tried on trees whose test errors
are known. What comes out is a rule of `treewright.pruning`, readable and small. A program may have data,
recursion and functions that the search invents.
"""
