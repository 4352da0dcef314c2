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
