import type { Price, PriceCreate } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "../admin.module.css";
import { utcDateTime as momentRule, parseUtcDateTime } from "../forms/field-schemas.ts";
import { PriceExamples } from "./price-examples.tsx";
import { parsePrice, pricePerMillion, pricePerToken, type Rates } from "./price-math.ts";

const pricePerMillionSchema = (field: string) =>
  z.string().refine((value) => pricePerToken(value) !== null, {
    error: t`${field} is not valid: dollars for a million tokens.`,
  });
const priceSchema = (field: string) =>
  z.string().refine((value) => parsePrice(value) !== null, { error: t`${field} is not valid: dollars such as 0.002.` });
const priceFormSchema = z.object({
  prompt: pricePerMillionSchema(t`Input`),
  completion: pricePerMillionSchema(t`Output`),
  image: priceSchema(t`Image`),
  audio_second: priceSchema(t`Second of sound`),
  character: priceSchema(t`Character`),
  request: priceSchema(t`Request`),
  effective_at: momentRule(t`Date`).refine(
    (value) => value === "" || (parseUtcDateTime(value)?.getTime() ?? 0) > Date.now(),
    {
      error: t`Date lies in the past. Past prices never change.`,
    },
  ),
});
type PriceFormValues = z.infer<typeof priceFormSchema>;

function toRates(values: Partial<PriceFormValues>): Rates | null {
  const { prompt, completion, image, audio_second, character, request } = values;
  const rates = {
    prompt: pricePerToken(prompt ?? ""),
    completion: pricePerToken(completion ?? ""),
    image: parsePrice(image ?? ""),
    audio_second: parsePrice(audio_second ?? ""),
    character: parsePrice(character ?? ""),
    request: parsePrice(request ?? ""),
  };
  return Object.values(rates).includes(null) ? null : (rates as Rates);
}

/** Adds a price that applies from a given time, with the resulting cost of typical requests. */
export function PriceForm({ model, current }: { model: string; current: Price | undefined }) {
  const save = useAction((body: PriceCreate) => feather.admin.prices.create(model, body), {
    success: (_, { effective_at }) => (effective_at ? t`The price is set` : t`The price holds from now on`),
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <div className={styles.form}>
      <Form
        schema={priceFormSchema}
        initial={{
          prompt: pricePerMillion(current?.prompt ?? "0"),
          completion: pricePerMillion(current?.completion ?? "0"),
          image: current?.image ?? "0",
          audio_second: current?.audio_second ?? "0",
          character: current?.character ?? "0",
          request: current?.request ?? "0",
          effective_at: "",
        }}
        fields={[
          { name: "prompt", label: t`Input, dollars for a million tokens`, inputMode: "decimal" },
          { name: "completion", label: t`Output, dollars for a million tokens`, inputMode: "decimal" },
          { name: "image", label: t`Each image, in dollars`, inputMode: "decimal" },
          {
            name: "audio_second",
            label: t`Each second of sound that is written down, in dollars`,
            inputMode: "decimal",
          },
          { name: "character", label: t`Each character that is read aloud, in dollars`, inputMode: "decimal" },
          { name: "request", label: t`Each request, in dollars`, inputMode: "decimal" },
          {
            name: "effective_at",
            label: t`From, in UTC`,
            placeholder: "2026-12-31 09:00",
            hint: t`Empty: from now on.`,
          },
        ]}
        renderSummary={(values) => <PriceExamples current={current ?? null} next={toRates(values)} />}
        submitLabel={t`Add the price`}
        block={false}
        submit={async (values) => {
          const rates = toRates(values);
          if (rates === null) return;
          const effectiveAt = parseUtcDateTime(values.effective_at);
          await save.submit({ ...rates, ...(effectiveAt && { effective_at: effectiveAt }) });
        }}
      />
    </div>
  );
}
