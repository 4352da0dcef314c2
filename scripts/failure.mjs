// Explains why a program failed during setup. Runs on the host's Node.

const NETWORK =
  /\b(EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ERR_PNPM_META_FETCH_FAIL)\b/;

/**
 * Returns a message for the person who runs the setup: the likely cause, and what to do.
 * @param {string} what the program, as the message calls it
 * @param {{ status: number | null, signal: string | null, stderr: string }} result
 * @returns {string}
 */
export function explainFailure(what, { status, signal, stderr }) {
  if (signal === "SIGKILL" || status === 137)
    return `${what} was killed, most likely because memory ran out. It needs about 1 GB; stop other programs or add swap, and try again.`;
  if (signal !== null) return `${what} was ended by ${signal}.`;
  if (NETWORK.test(stderr))
    return `${what} failed: the package registry could not be reached. The first start needs the network (or a proxy in HTTPS_PROXY); later ones do not.`;
  if (/\b(EACCES|EPERM|EROFS)\b/.test(stderr))
    return `${what} failed: this user may not write to the checkout. Run it as the user who owns these files, or make a checkout of your own.`;
  if (/\bENOSPC\b/.test(stderr)) return `${what} failed: the disk is full.`;
  return `${what} failed. What it said stands above.`;
}

/**
 * The packages of libraries that minimal systems lack.
 * @type {Readonly<Record<string, { debian: string, fedora: string, alpine: string }>>}
 */
const PACKAGES = {
  "libatomic.so.1": { debian: "libatomic1", fedora: "libatomic", alpine: "libatomic" },
  "libstdc++.so.6": { debian: "libstdc++6", fedora: "libstdc++", alpine: "libstdc++" },
};

/**
 * Returns a message for the person who runs the setup when the Node that the workspace brings along does not start.
 * @param {{ stderr: string }} result what the loader said
 * @returns {string}
 */
export function explainNodeFailure({ stderr }) {
  const what = "The Node that Feather brings along does not start on this machine";
  const library = /(lib[\w.+-]+\.so[\w.]*)/.exec(stderr)?.[1];
  if (library === undefined) return `${what}: ${stderr.trim() || "it said nothing"}`;
  const packages = PACKAGES[library];
  if (packages === undefined) return `${what}: it lacks the library ${library}. Install it, and start again.`;
  const { debian, fedora, alpine } = packages;
  return [
    `${what}: it lacks the library ${library}. Install it, and start again:`,
    `  Debian, Ubuntu: sudo apt-get install ${debian}`,
    `  Fedora, RHEL:   sudo dnf install ${fedora}`,
    `  Alpine:         sudo apk add ${alpine}`,
  ].join("\n");
}
