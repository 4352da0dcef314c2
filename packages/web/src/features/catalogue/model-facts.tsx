import { Link } from "react-router-dom";
import { Barbs, State } from "#/components/ui/bits.tsx";
import { CodeTabs } from "#/components/ui/code.tsx";
import { paths } from "#/config/paths.ts";
import { callSamples } from "#/features/snippets/samples.ts";
import { count, day, size } from "#/lib/format.ts";
import type { Model } from "./queries.ts";

const REASONS: Record<string, string> = {
  gated: "its publisher asks for an accepted form",
  plan_model_size: "it is larger than your plan allows",
  not_on_plan: "it is not in your plan",
  cold: "nothing that runs it is reachable here just now",
  private: "it is private",
  disabled: "it is switched off",
};

/** How to call a model, whether the reader may, and what is known of it. */
export function ModelFacts({ model, signedIn }: { model: Model; signedIn: boolean }) {
  const facts: [string, React.ReactNode][] = [
    ["Parameters", size(model.parameter_size)],
    ["Context", model.context_length === null ? "unknown" : `${count(model.context_length)} tokens`],
    ["Units", <Barbs key="units" on={model.concurrency_cost} of={4} label={`${model.concurrency_cost} of 4 units`} />],
    ["Architecture", model.architecture ? <Mono key="architecture">{model.architecture}</Mono> : "unknown"],
    ["Licence", model.license ?? "unknown"],
    ["Released", model.released_date ? day(model.released_date) : "unknown"],
    ["Based on", model.base_model ? <Mono key="base">{model.base_model}</Mono> : "–"],
    [
      "Class",
      <span key="class" className="mono">
        {model.model_class}
      </span>,
    ],
  ];
  return (
    <>
      <CodeTabs samples={callSamples(model.id, location.origin)} />
      <div>
        <h2 className="h4 mb-2">Can you call it?</h2>
        <Callable model={model} signedIn={signedIn} />
      </div>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Callable({ model, signedIn }: { model: Model; signedIn: boolean }) {
  if (!signedIn || !model.access)
    return (
      <p className="mid">
        <Link className="link" to={paths.login(paths.model(model.id))}>
          Log in
        </Link>{" "}
        to see what your plan allows.
      </p>
    );
  if (model.access.callable)
    return (
      <p>
        <State tier="good">Yes.</State>{" "}
        <span className="mid">It takes {model.concurrency_cost} of your units while it answers.</span>
      </p>
    );
  const why = model.access.reasons.map((reason) => REASONS[reason]).filter(Boolean);
  return (
    <p>
      <State tier="bad">Not now:</State> <span className="mid">{why.join(", and ")}.</span>
    </p>
  );
}

function Mono({ children }: { children: string }) {
  return <span className="mono">{children}</span>;
}
