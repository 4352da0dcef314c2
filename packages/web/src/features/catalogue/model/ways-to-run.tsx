import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "react-router-dom";
import { CodeTabs } from "#/components/ui/code/code-tabs.tsx";
import { describeFit } from "./describe-fit.ts";
import { RunHere } from "./run-here.tsx";

const ADD_BACKEND = "/admin/backends/create";

/** The ways in which an admin makes a model run: on this machine, or at a provider or another server. */
export function WaysToRun({ model }: { model: Model }) {
  const fitsHere = model.fit?.verdict !== "too_large";
  return (
    <>
      {fitsHere ? <RunHere model={model} /> : <p className="muted mt-3">{describeFit(model)}</p>}
      <p className="muted mt-3">
        {fitsHere ? (
          <Trans>
            Or{" "}
            <Link className="link" to={ADD_BACKEND}>
              connect a provider or server
            </Link>{" "}
            that has it.
          </Trans>
        ) : (
          <Trans>
            <Link className="link" to={ADD_BACKEND}>
              Connect a provider or server
            </Link>{" "}
            that has it.
          </Trans>
        )}{" "}
        {t`A server of models that is started beside Feather is found within half a minute:`}
      </p>
      <CodeTabs samples={createRunSamples(model)} />
    </>
  );
}

const createRunSamples = ({ id, fit }: Model): { name: string; code: string }[] => [
  ...(fit?.verdict === "too_large" ? [] : [{ name: t`Terminal`, code: `feather run ${id}` }]),
  { name: "vLLM", code: `vllm serve ${id} --port 8000` },
  { name: "SGLang", code: `python -m sglang.launch_server --model-path ${id} --port 8000` },
  {
    name: t`Another machine`,
    code: `FEATHER_BACKENDS='[{"name": "gpu-1",\n  "base_url": "http://10.0.0.5:8000/v1",\n  "models": ["${id}"]}]' npm start`,
  },
];
