//! A1: the `desk` command as a person uses it.
