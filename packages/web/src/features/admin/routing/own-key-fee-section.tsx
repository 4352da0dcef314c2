import type { Routing } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { Form } from "#/components/ui/forms/form.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { formatShortPercent } from "#/lib/format.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./own-key-fee-section.module.css";
import { routingQuery } from "./queries.ts";

const schema = z.object({
  percent: z.string().refine((value) => /^\d{1,3}([.,]\d{1,2})?$/.test(value.trim()) && parsePercent(value) <= 100, {
    error: t`Fee is not valid: a number from 0 to 100 with at most two decimals.`,
  }),
});

const parsePercent = (value: string): number => Number(value.trim().replace(",", "."));

/** Sets what calls with organizations' own keys cost on metered plans. */
export function OwnKeyFeeSection() {
  const routing = useQuery(routingQuery);
  return (
    <section className="mt-8">
      <h2 className="h4">{t`Fee for own keys`}</h2>
      <p className="small muted mt-2 measure">
        {t`Backends of providers can take keys of organizations (Backends > Change). On metered plans, a call with such a key costs this percentage of the model's price. Flat plans charge nothing for a call.`}
      </p>
      <Loaded subject={t`the fee for own keys`} query={routing}>
        {(rules) => <FeeForm key={rules.own_key_fee_percent} rules={rules} />}
      </Loaded>
    </section>
  );
}

function FeeForm({ rules: { order, own_key_fee_percent: present } }: { rules: Routing }) {
  const save = useAction((percent: number) => feather.admin.routing.update({ order, own_key_fee_percent: percent }), {
    success: ({ own_key_fee_percent: percent }) => t`Fee for own keys: ${formatShortPercent(percent)}`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <div className={styles.form}>
      <Form
        schema={schema}
        initial={{ percent: String(present) }}
        fields={[{ name: "percent", label: t`Percent of the price`, inputMode: "decimal", autoComplete: "off" }]}
        submitLabel={t`Save the fee`}
        block={false}
        secondary
        afterSubmit="keep"
        submit={({ percent }) => save.submit(parsePercent(percent))}
      />
    </div>
  );
}
