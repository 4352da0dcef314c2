#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `error: feather needs Node 22.19 or newer; this is ${process.versions.node}\n  try: install a newer Node from https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else if (process.argv.length === 3 && ["--version", "-V"].includes(process.argv[2] ?? "")) {
  // Asked for by scripts, many times: answered without loading anything.
  const { readFileSync } = await import("node:fs");
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else {
  if (asksForPassword(process.argv.slice(2))) hideTyping();
  await keepCompiled();
  await import("../dist/main.js");
}

/** Returns whether a password is the first thing that a command line asks for. */
function asksForPassword(words) {
  const hasFlag = (name) => words.some((word) => word === name || word.startsWith(`${name}=`));
  return words.includes("login") && hasFlag("--email") && !hasFlag("--password-stdin");
}

/** Turns the terminal's echo off, because people type before the program is loaded. Node turns it on again when it exits. */
function hideTyping() {
  if (process.stdin.isTTY && process.stderr.isTTY) process.stdin.setRawMode(true);
}

/** Keeps the program's code in its compiled form for the next start, in a folder of this person alone. */
async function keepCompiled() {
  const [{ enableCompileCache }, { homedir }, { join }] = await Promise.all(
    ["node:module", "node:os", "node:path"].map((name) => import(name)),
  );
  const { FEATHER_CACHE_DIR, XDG_CACHE_HOME } = process.env;
  // Not every runtime has it.
  enableCompileCache?.(join(FEATHER_CACHE_DIR || join(XDG_CACHE_HOME || join(homedir(), ".cache"), "feather"), "code"));
}
