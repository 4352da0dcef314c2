import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { Barbs } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { CallSnippets } from "#/features/snippets/call-snippets.tsx";
import { count, day, moment, size } from "#/lib/format.ts";
import { Callable } from "./callable.tsx";
import { perMillion } from "./price-words.ts";
import type { Model } from "./queries.ts";
import { Unlock } from "./unlock.tsx";

/** Code samples, whether the user may call the model, and its properties. */
export function ModelFacts({ model, signedIn }: { model: Model; signedIn: boolean }) {
  return (
    <>
      <CallSnippets model={model.id} />
      <div>
        <h2 className="h4 mb-2">{t`Can you call it?`}</h2>
        <Callable model={model} signedIn={signedIn} />
        <Unlock model={model} />
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
  const activeSize = size(active);
  return [
    [t`Parameters`, size(model.parameter_size) + (active ? t`, ${activeSize} active` : "")],
    [t`Context`, tokens(model.context_length)],
    ...(answer ? [[t`Longest answer`, tokens(answer)] satisfies [string, ReactNode]] : []),
    [
      t`One request holds`,
      <span key="units" className="whitespace-nowrap with-barbs">
        <Barbs on={model.concurrency_cost} of={4} label="" />{" "}
        {plural(model.concurrency_cost, { one: "# unit", other: "# units" })}
      </span>,
    ],
    ...(pricing
      ? [
          [t`Metered, read`, `${perMillion(pricing.prompt)} / 1M`] satisfies [string, ReactNode],
          [t`Metered, written`, `${perMillion(pricing.completion)} / 1M`] satisfies [string, ReactNode],
        ]
      : []),
    [
      t`Licence`,
      model.license ? (
        <Link key="licence" className="link" to={paths.models({ license: model.license })}>
          {model.license}
        </Link>
      ) : (
        t`unknown`
      ),
    ],
    [
      t`Released`,
      released ? (
        <Link key="released" className="link" to={paths.release(day(released))}>
          {day(released)}
        </Link>
      ) : (
        t`unknown`
      ),
    ],
    [t`Architecture`, model.architecture ? <Mono key="architecture">{model.architecture}</Mono> : t`unknown`],
    [t`Based on`, model.base_model ? <Mono key="base">{model.base_model}</Mono> : "–"],
    [t`Class`, <Mono key="class">{model.model_class}</Mono>],
    [t`State checked`, moment(model.availability.checked_at)],
  ];
}

function tokens(number: number | null): string {
  if (number === null) return t`unknown`;
  const figure = count(number);
  return t`${figure} tokens`;
}

function Mono({ children }: { children: string }) {
  return <span className="mono">{children}</span>;
}
