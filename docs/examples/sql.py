"""Score rows in a database.

The exported SQL gives the classes that `predict` gives; here SQLite runs it.
"""

import sqlite3

from treewright import GreedyTreeClassifier, datasets

iris = datasets.load("iris")
model = GreedyTreeClassifier(max_depth=2).fit(iris)
db = sqlite3.connect(":memory:")
db.execute('CREATE TABLE flowers ("petal length (cm)" REAL, "petal width (cm)" REAL)')
rows = zip(iris.column(2).tolist(), iris.column(3).tolist(), strict=True)
db.executemany("INSERT INTO flowers VALUES (?, ?)", rows)
formula = model.tree_.export("sql", dialect="sqlite", missing="stop")
answers = [answer for (answer,) in db.execute(f"SELECT {formula} FROM flowers")]
n_agree = sum(answers == model.predict(iris))
print(f"{n_agree} of {len(answers)} agree")

picture = model.tree_.to_svg()
