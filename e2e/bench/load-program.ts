/** Sends load as its parent says, reports what it measured, and ends. */
import { sendLoad } from "./load.ts";
import type { LoadJob } from "./load-processes.ts";

process.once("message", async (job: LoadJob) => {
  process.send?.(await sendLoad([job.target], job.body, job.options));
});
