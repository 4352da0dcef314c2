#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `error: feather needs Node 22.19 or newer; this is ${process.versions.node}\n  try: install a newer Node from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  await import("../dist/main.js");
}
