import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Form } from "#/components/ui/form.tsx";
import { feather } from "#/lib/feather.ts";
import { momentOf, moment as momentRule } from "../forms/rules.ts";
import { useSaved } from "../use-act.ts";
import { PriceExamples } from "./price-examples.tsx";
import { perMillion, perThing, perToken, type Rates } from "./price-math.ts";

type Price = Schemas["Price"];

const million = (field: string) =>
  z
    .string()
    .refine((value) => perToken(value) !== null, { error: t`${field} is not valid: dollars for a million tokens.` });
const thing = (field: string) =>
  z.string().refine((value) => perThing(value) !== null, { error: t`${field} is not valid: dollars such as 0.002.` });
const rules = z.object({
  prompt: million(t`Input`),
  completion: million(t`Output`),
  image: thing(t`Image`),
  request: thing(t`Request`),
  effective_at: momentRule(t`Date`).refine((value) => value === "" || (momentOf(value)?.getTime() ?? 0) > Date.now(), {
    error: t`Date lies in the past. Past prices never change.`,
  }),
});
type Values = z.infer<typeof rules>;

function ratesOf({ prompt, completion, image, request }: Partial<Values>): Rates | null {
  const rates = {
    prompt: perToken(prompt ?? ""),
    completion: perToken(completion ?? ""),
    image: perThing(image ?? ""),
    request: perThing(request ?? ""),
  };
  return Object.values(rates).includes(null) ? null : (rates as Rates);
}

/** Adds a price that applies from a given time, with the resulting cost of typical requests. */
export function PriceForm({ model, current }: { model: string; current: Price | undefined }) {
  const saved = useSaved();
  return (
    <div className="admin-form">
      <Form
        schema={rules}
        initial={{
          prompt: perMillion(current?.prompt ?? "0"),
          completion: perMillion(current?.completion ?? "0"),
          image: current?.image ?? "0",
          request: current?.request ?? "0",
          effective_at: "",
        }}
        fields={[
          { name: "prompt", label: t`Input, dollars for a million tokens`, inputMode: "decimal" },
          { name: "completion", label: t`Output, dollars for a million tokens`, inputMode: "decimal" },
          { name: "image", label: t`Each image, in dollars`, inputMode: "decimal" },
          { name: "request", label: t`Each request, in dollars`, inputMode: "decimal" },
          { name: "effective_at", label: t`From, in UTC`, type: "datetime-local", hint: t`Empty: from now on.` },
        ]}
        about={(values) => <PriceExamples before={current ?? null} after={ratesOf(values)} />}
        submitLabel={t`Add the price`}
        block={false}
        submit={async (values) => {
          const rates = ratesOf(values);
          if (rates === null) return;
          const from = momentOf(values.effective_at);
          await feather.admin.prices.create(model, { ...rates, ...(from && { effective_at: from }) });
          await saved(from ? t`The price is set` : t`The price holds from now on`);
        }}
      />
    </div>
  );
}
