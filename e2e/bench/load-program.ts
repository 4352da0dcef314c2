/** Sends the load that its parent process describes, reports its measurements, and ends. */
import { sendLoad } from "./load.ts";
import type { LoadJob } from "./load-processes.ts";

process.once("message", async (job: LoadJob) => {
  process.send?.(await sendLoad([job.target], job.body, job.options));
});
