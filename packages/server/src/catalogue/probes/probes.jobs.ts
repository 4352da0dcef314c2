import type { Job } from "../../platform/core/jobs.ts";
import { HOUR_S } from "../../platform/core/time.ts";
import type { Prober } from "./prober.ts";
import type { ProbesRepository } from "./probes.repository.ts";
import type { Spending } from "./spending.ts";

type Deps = {
  prober: Prober;
  probesRepository: Pick<ProbesRepository, "deleteOld">;
  spending: Pick<Spending, "deleteOld">;
  /** Whether models are asked without an administrator's request. */
  isOn: boolean;
  now(): Date;
};

/**
 * Creates the jobs that ask models what they can do: each once a day, for the first time an hour after the start, and those that
 * an administrator asks for within seconds.
 */
export function createProbeJobs({ prober, probesRepository, spending, isOn, now }: Deps): Job[] {
  const never = new AbortController().signal;
  return [
    {
      name: "probe models",
      everySeconds: HOUR_S,
      run: async (stopping = never) => {
        await probesRepository.deleteOld(now());
        await spending.deleteOld();
        if (isOn) await prober.probeDue(stopping);
      },
    },
    {
      name: "probe requested models",
      everySeconds: 3,
      run: (stopping = never) => prober.probeRequested(stopping),
    },
  ];
}
