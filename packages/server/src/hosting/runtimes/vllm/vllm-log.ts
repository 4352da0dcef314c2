import { createPythonLog, type PythonLogForm } from "../processes/python-log.ts";
import type { ProgramLog } from "../processes/watched-process.ts";

const FORM: PythonLogForm = {
  /** The process, the level, the time and the source position. */
  prefix:
    /^(?:\([^()]*pid=\d+[^()]*\)\s*)*(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[[^\]]+\]\s*)?/,
  wrongArguments: /^\S*vllm\S*(?: serve)?: error: (.+)$/,
  consequences: /Engine core initialization failed|EngineDeadError|EngineCore encountered an issue/,
};

/** Creates a reader of one run's log of vLLM. */
export const createVllmLog = (): ProgramLog => createPythonLog(FORM);
