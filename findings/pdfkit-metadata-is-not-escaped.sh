#!/usr/bin/env bash
# pdfkit writes the title, author, subject and keywords of a document into its XMP metadata without escaping them, so that a title
# such as "Plume & Co" makes the metadata invalid XML. One would expect the same text in both places, the Info dictionary and the
# metadata, as PDF/A asks. Readers show the title from the Info dictionary, so nobody notices until a validator or an archive reads
# the metadata: it finds none. A text that is escaped before it is passed is shown with "&amp;" as the title.
#
# Exits 0 when the behaviour is the one described, 1 when it is another one. Needs Node 20 or later and npm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts pdfkit@0.20.2 saxes@6.0.0

cat >check.mjs <<'JS'
import { once } from "node:events";
import { readFileSync } from "node:fs";
import PdfDocument from "pdfkit";
import { SaxesParser } from "saxes";

const { version } = JSON.parse(readFileSync("node_modules/pdfkit/package.json", "utf8"));
console.log(`pdfkit ${version}`);

async function readMetadata(Title) {
  const pdf = new PdfDocument({ pdfVersion: "1.7", subset: "PDF/A-3b", info: { Title } });
  const chunks = [];
  pdf.on("data", (chunk) => chunks.push(chunk));
  pdf.end();
  await once(pdf, "end");
  return /<x:xmpmeta.*<\/x:xmpmeta>/s.exec(Buffer.concat(chunks).toString("latin1"))[0];
}

function isWellFormed(xml) {
  try {
    const parser = new SaxesParser();
    parser.on("error", (error) => {
      throw error;
    });
    parser.write(xml).close();
    return true;
  } catch (error) {
    console.log(String(error).split("\n")[0]);
    return false;
  }
}

const seen = {};
for (const title of ["Plume and Co", "Plume & Co", "a < b"]) {
  const xml = await readMetadata(title);
  console.log(/<rdf:li xml:lang="x-default">.*<\/rdf:li>/.exec(xml)[0]);
  seen[title] = isWellFormed(xml);
  console.log(`${title}: ${seen[title] ? "well-formed" : "not well-formed"}`);
}
const isAsDescribed = seen["Plume and Co"] && !seen["Plume & Co"] && !seen["a < b"];
console.log("expected: the metadata is well-formed for each title");
console.log(isAsDescribed ? "Titles with & or < make the metadata invalid." : "The behaviour has changed.");
process.exitCode = isAsDescribed ? 0 : 1;
JS
node check.mjs
