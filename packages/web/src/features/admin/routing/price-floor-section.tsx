import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { ChoiceList } from "#/components/ui/controls/choice-list.tsx";
import { Loaded } from "#/components/ui/loading/loaded.tsx";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";
import { routingQuery } from "./queries.ts";

const CHOICES = [
  {
    isRefused: false,
    name: t`Allow`,
    hint: t`Calls go to every backend of the model, also where it charges more than the price here.`,
  },
  {
    isRefused: true,
    name: t`Refuse`,
    hint: t`Calls go to backends that charge no more than the price here. Where there is none, they are refused.`,
  },
];

/** Chooses whether metered calls may go to providers that charge more than the price of the model. */
export function PriceFloorSection() {
  const routing = useQuery(routingQuery);
  const saving = useAction(feather.admin.routing.update, {
    success: ({ refuse_below_cost }) =>
      refuse_below_cost ? t`Calls below cost: refused` : t`Calls below cost: allowed`,
    invalidates: ADMIN_QUERY_KEYS,
  });
  return (
    <section className="mt-8">
      <h2 className="h4">{t`Calls below cost`}</h2>
      <p className="small muted mt-2 measure">
        {t`Holds for metered plans. What providers charge comes from their lists of models; backends without a stated price, and calls with an organization's own key, are not affected. Usage shows cost and margin.`}
      </p>
      <Loaded subject={t`the rule for calls below cost`} query={routing}>
        {({ order, refuse_below_cost }) => (
          <ChoiceList legend={t`Calls below cost`} isLarge>
            {CHOICES.map(({ isRefused, name, hint }) => (
              <label key={name}>
                <input
                  type="radio"
                  name="below-cost"
                  checked={refuse_below_cost === isRefused}
                  disabled={saving.busy}
                  onChange={() => void saving.run({ order, refuse_below_cost: isRefused })}
                />
                <span>
                  <strong>{name}</strong>
                  <span className="muted small">{hint}</span>
                </span>
              </label>
            ))}
          </ChoiceList>
        )}
      </Loaded>
    </section>
  );
}
