"""Packs a folder as a ZIP archive with the same bytes every time: pack.py FOLDER FILE.zip"""

import pathlib
import sys
import zipfile

folder, target = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(str(file.relative_to(folder)), (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, file.read_bytes())
print(f"{target.name}: {target.stat().st_size // 1000} KB")
