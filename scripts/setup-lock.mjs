// Lets one set-up at a time work in a checkout. Runs on the host's Node.
import { spawnSync } from "node:child_process";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 250;
/** Where `/proc/PID/stat` has the start of a process, counted from the end of its name. */
const STARTED_AT = 20;
/** Error codes in a checkout that this user may not write to. No lock is needed there: writing fails anyway. */
const READ_ONLY = new Set(["EACCES", "EPERM", "EROFS"]);

/**
 * Takes the lock of a checkout, a file that names the process which has it, and waits while another process has it. The lock
 * of a process that has ended is taken over. Without the right to write there, there is no lock.
 * @param {string} path the lock
 * @param {(pid: number) => void} onWait called once, with the process that is waited for
 * @returns {Promise<() => void>} gives the lock back; it may be called several times
 */
export async function takeSetupLock(path, onWait) {
  const own = identify(process.pid);
  for (let waits = false; ; await sleep(POLL_MS)) {
    const state = tryLock(path, own);
    if (state === "taken") return () => release(path, own);
    if (state === "read-only") return () => {};
    const holder = readHolder(path);
    if (holder === null) continue;
    const pid = Number(holder.split(" ")[0]);
    if (!isRunning(pid) || identify(pid) !== holder) removeStale(path, holder, own);
    else if (!waits) {
      waits = true;
      onWait(pid);
    }
  }
}

/**
 * Creates the lock together with its content, so that no process reads an empty one.
 * @param {string} path
 * @param {string} own
 */
function tryLock(path, own) {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, own);
    linkSync(draft, path);
    return "taken";
  } catch (error) {
    if (READ_ONLY.has(codeOf(error))) return "read-only";
    if (codeOf(error) === "EEXIST") return "held";
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Removes the lock of a process that has ended, but not one that another process has taken in the meantime.
 * @param {string} path @param {string} holder @param {string} own
 */
function removeStale(path, holder, own) {
  const removed = `${path}.${own.replace(" ", "-")}.stale`;
  try {
    renameSync(path, removed);
    if (readFileSync(removed, "utf8") !== holder) linkSync(removed, path);
    rmSync(removed, { force: true });
  } catch (error) {
    if (!["ENOENT", "EEXIST"].includes(codeOf(error))) throw error;
  }
}

/** @param {string} path @param {string} own */
function release(path, own) {
  if (readHolder(path) === own) rmSync(path, { force: true });
}

/** @param {string} path */
function readHolder(path) {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM"; // it belongs to another user
  }
}

/**
 * Returns a process's id with when it was started, where that can be read: ids are given out again.
 * @param {number} pid
 */
function identify(pid) {
  return `${pid} ${readStart(pid)}`;
}

/** @param {number} pid */
function readStart(pid) {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    return (stdout ?? "").trim().replaceAll(" ", "-");
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")")).split(" ")[STARTED_AT] ?? "";
  } catch {
    return "";
  }
}

/** @param {unknown} error @returns {string} */
function codeOf(error) {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
