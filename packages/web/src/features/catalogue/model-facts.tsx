import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Barbs, State } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { CallSnippets } from "#/features/snippets/call-snippets.tsx";
import { count, day, moment, size } from "#/lib/format.ts";
import { perMillion } from "./price-words.ts";
import type { Model } from "./queries.ts";

const REASONS: Record<string, string> = {
  gated: "its publisher asks for an accepted form",
  plan_model_size: "it is larger than your plan allows",
  not_on_plan: "it is not in your plan",
  cold: "nothing that runs it is reachable here just now",
  private: "it is private",
  disabled: "it is switched off",
};
/** Reasons that another plan cures. */
const CURED_BY_PLAN = new Set(["plan_model_size", "not_on_plan"]);

/** How to call a model, whether the reader may, and what is known of it. */
export function ModelFacts({ model, signedIn }: { model: Model; signedIn: boolean }) {
  return (
    <>
      <CallSnippets model={model.id} />
      <div>
        <h2 className="h4 mb-2">Can you call it?</h2>
        <Callable model={model} signedIn={signedIn} />
      </div>
      <dl className="facts">
        {factsOf(model).map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function factsOf(model: Model): [string, ReactNode][] {
  const { pricing, active_parameters: active, max_completion_tokens: answer, released_date: released } = model;
  return [
    ["Parameters", size(model.parameter_size) + (active ? `, ${size(active)} active` : "")],
    ["Context", model.context_length === null ? "unknown" : `${count(model.context_length)} tokens`],
    ...(answer ? [["Longest answer", `${count(answer)} tokens`] satisfies [string, ReactNode]] : []),
    [
      "One request holds",
      <span key="units" className="whitespace-nowrap">
        <Barbs on={model.concurrency_cost} of={4} label="" />{" "}
        {model.concurrency_cost === 1 ? "1 unit" : `${model.concurrency_cost} units`}
      </span>,
    ],
    ...(pricing
      ? [
          ["Metered, read", `${perMillion(pricing.prompt)} / 1M`] satisfies [string, ReactNode],
          ["Metered, written", `${perMillion(pricing.completion)} / 1M`] satisfies [string, ReactNode],
        ]
      : []),
    [
      "Licence",
      model.license ? (
        <Link key="licence" className="link" to={paths.models({ license: model.license })}>
          {model.license}
        </Link>
      ) : (
        "unknown"
      ),
    ],
    [
      "Released",
      released ? (
        <Link key="released" className="link" to={paths.release(day(released))}>
          {day(released)}
        </Link>
      ) : (
        "unknown"
      ),
    ],
    ["Architecture", model.architecture ? <Mono key="architecture">{model.architecture}</Mono> : "unknown"],
    ["Based on", model.base_model ? <Mono key="base">{model.base_model}</Mono> : "–"],
    ["Class", <Mono key="class">{model.model_class}</Mono>],
    ["State checked", moment(model.availability.checked_at)],
  ];
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
  const { reasons } = model.access;
  const why = reasons.map((reason) => REASONS[reason]).filter(Boolean);
  return (
    <p>
      <State tier="bad">Not now:</State> <span className="mid">{why.join(", and ") || "the server does not say why"}.</span>{" "}
      {reasons.some((reason) => CURED_BY_PLAN.has(reason)) ? (
        <Link className="link" to={paths.pricing}>
          See the plans
        </Link>
      ) : null}
    </p>
  );
}

function Mono({ children }: { children: string }) {
  return <span className="mono">{children}</span>;
}
