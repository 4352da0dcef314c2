import { createPythonLog, type PythonLogForm } from "../processes/python-log.ts";
import type { ProgramLog } from "../processes/watched-process.ts";

const FORM: PythonLogForm = {
  /** The time, and the rank of the process if there are several. */
  prefix: /^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: [A-Z]+\d+)*\]\s*/,
  wrongArguments: /^\S*(?:sglang|launch_server)\S*(?: serve)?: error: (.+)$/,
  consequences: /Initialization failed|[Ss]cheduler (?:is dead|process .*died)|Received sigquit from a child process/,
};

/** Creates a reader of one run's log of SGLang. */
export const createSglangLog = (): ProgramLog => createPythonLog(FORM);
