#!/usr/bin/env bash
# getMarkInfo() of pdfjs-dist is declared to return an object with the booleans Marked, UserProperties and Suspects, and returns a
# Map. `(await pdf.getMarkInfo()).Marked` compiles and is undefined for every document, so a check whether a PDF is tagged says
# that none is. In JSON the Map is {}.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 22 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts pdfjs-dist@6.5.438

cat >check.mjs <<'JS'
import { readFileSync } from "node:fs";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

const { version } = JSON.parse(readFileSync("node_modules/pdfjs-dist/package.json", "utf8"));
console.log(`pdfjs-dist ${version}`);
const types = readFileSync("node_modules/pdfjs-dist/types/src/display/api.d.ts", "utf8");
console.log(`declared: ${/getMarkInfo\(\): (Promise<[^>]*>)/s.exec(types)[1].replaceAll(/\s+/g, " ")}`);

// A tagged document of one empty page.
const objects = [
  "<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot << /Type /StructTreeRoot >> >>",
  "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>",
];
let file = "%PDF-1.7\n";
const offsets = objects.map((object, index) => {
  const offset = file.length;
  file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  return `${String(offset).padStart(10, "0")} 00000 n \n`;
});
const start = file.length;
file += `xref\n0 4\n0000000000 65535 f \n${offsets.join("")}trailer << /Size 4 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;

const task = getDocument({ data: new TextEncoder().encode(file), verbosity: 0 });
const info = await (await task.promise).getMarkInfo();
console.log("returned:", info, "with Marked:", info.Marked, "as JSON:", JSON.stringify(info));
await task.destroy();
const isAsDescribed = info instanceof Map && info.get("Marked") === true && info.Marked === undefined;
console.log("expected: an object whose Marked is true, as declared");
console.log(isAsDescribed ? "It is a Map." : "The behaviour has changed.");
process.exitCode = isAsDescribed ? 0 : 1;
JS
node check.mjs
