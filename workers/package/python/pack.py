"""Writes the wheel of the package `sextant` into a folder, with the version of @sextant/engine. Needs the standard library alone."""

import base64
import hashlib
import json
import pathlib
import sys
import zipfile

here = pathlib.Path(__file__).resolve().parent
version = json.loads((here.parent / "package.json").read_text(encoding="utf-8"))["version"]
readme = (here / "README.md").read_text(encoding="utf-8")
metadata = f"""Metadata-Version: 2.1
Name: sextant
Version: {version}
Summary: Indicators, backtests and searches of the Sextant engine with NumPy arrays.
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy
Description-Content-Type: text/markdown

{readme}"""
folder = f"sextant-{version}.dist-info"
files = {
    "sextant/__init__.py": (here / "sextant" / "__init__.py").read_bytes(),
    f"{folder}/METADATA": metadata.encode(),
    f"{folder}/WHEEL": b"Wheel-Version: 1.0\nGenerator: sextant\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}


def record_of(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


record = "".join(record_of(name, content) for name, content in files.items()) + f"{folder}/RECORD,,\n"
target = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".") / f"sextant-{version}-py3-none-any.whl"
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as wheel:
    for name, content in {**files, f"{folder}/RECORD": record.encode()}.items():
        # A fixed time: the same sources give the same bytes.
        wheel.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
print(target)
