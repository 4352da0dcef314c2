import { type Budget, can, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Meter } from "#/components/ui/figures/meter.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { describeSpending, getSpentShare } from "#/entities/money/describe-spending.ts";
import { formatNanoUsd, isZero } from "#/entities/money/money.ts";
import { feather } from "#/lib/feather.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { BudgetDialog } from "./budget-dialog.tsx";
import styles from "./budgets-section.module.css";
import organizationStyles from "./organization.module.css";
import { budgetsQuery } from "./queries.ts";

/** The budgets of the organization and of the user, with the spent parts; admins see and set those of all members. */
export function BudgetsSection({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(budgetsQuery);
  const [edited, setEdited] = useState<Budget | "new" | null>(null);
  const remove = useBudgetRemoval();
  const canSet = can(user, "manage_organization") && !user.impersonated_by;
  return (
    <section className="mt-8" aria-labelledby="budgets">
      <div className="row between wrapping">
        <h2 className="h4" id="budgets">
          {t`Budgets`}
        </h2>
        {canSet ? (
          <button type="button" className="btn" onClick={() => setEdited("new")}>
            {t`Set a budget`}
          </button>
        ) : null}
      </div>
      <p className="muted small mt-2 measure">{describeUse(user)}</p>
      {error && !data ? (
        <LoadError subject={t`The list of budgets`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : data.items.length === 0 ? (
        <p className="muted mt-3">{t`None is set.`}</p>
      ) : (
        <table className={`mt-3 ${organizationStyles.people} ${styles.budgets}`}>
          <thead>
            <tr>
              <th>{t`Whose`}</th>
              <th>{t`Spent`}</th>
              <th>
                <span className="visually-hidden">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((budget) => (
              <BudgetRow
                key={budget.user_id}
                budget={budget}
                user={user}
                {...(canSet && { edit: () => setEdited(budget), remove: () => remove(budget) })}
              />
            ))}
          </tbody>
        </table>
      )}
      {canSet ? <BudgetDialog edited={edited} close={() => setEdited(null)} /> : null}
    </section>
  );
}

type RowProps = { budget: Budget; user: User; edit?: () => void; remove?: () => void };

function BudgetRow({ budget, user, edit, remove }: RowProps) {
  const { amount_nano_usd: amount, spent_nano_usd: spent, reserved_nano_usd: reserved, period } = budget;
  const owner = getOwnerName(budget);
  const text = describeSpending({ spent, amount, period });
  return (
    <tr>
      <td>
        <div className="name user-text" dir="auto">
          {owner}
          {budget.user_id === user.id ? <span className="faint"> {t`(you)`}</span> : null}
        </div>
        <div className="small muted">{describeTerms(budget)}</div>
      </td>
      <td className={`num ${styles.spent}`}>
        {text}
        <Meter share={getSpentShare({ spent, amount })} label={t`Budget of ${owner}`} valueText={text} />
        {isZero(reserved) ? null : (
          <span className="small faint">{t`${formatNanoUsd(reserved)} set aside for calls that run now`}</span>
        )}
      </td>
      <td className="end">
        {edit && remove ? (
          <>
            <button type="button" className="btn ghost" aria-label={t`Change the budget of ${owner}`} onClick={edit}>
              {t`Change`}
            </button>
            <button type="button" className="btn ghost" aria-label={t`Delete the budget of ${owner}`} onClick={remove}>
              {t`Delete`}
            </button>
          </>
        ) : null}
      </td>
    </tr>
  );
}

function describeUse({ organization }: User): string {
  const isMetered = organization.current_subscription?.plan.billing_mode === "request_pricing";
  return isMetered
    ? t`How much credit calls may cost. Admins get a message when a budget is nearly or fully spent; a hard one also refuses calls.`
    : t`How much credit calls may cost on plans that are priced by the request. Calls on the current plan are not charged, so they count for no budget.`;
}

function describeTerms({ hard, warning_percent, resets_at }: Budget): string {
  const effect = hard ? t`Refuses calls beyond it` : t`Only alerts`;
  const warning = t`warns at ${warning_percent} %`;
  const reset = resets_at === null ? t`does not reset` : t`resets ${formatIsoDay(resets_at)}`;
  return `${effect}, ${warning}, ${reset}`;
}

const getOwnerName = ({ user_name }: Budget): string => user_name ?? t`The organization`;

function useBudgetRemoval() {
  const confirm = useConfirm();
  const removal = useAction(
    ({ user_id }: Budget) => (user_id === null ? feather.budgets.delete() : feather.budgets.deleteForMember(user_id)),
    { success: () => t`The budget is deleted`, invalidates: [queries.budgets.key()] },
  );
  return (budget: Budget): void => {
    const owner = getOwnerName(budget);
    confirm({
      title: t`Delete the budget of ${owner}`,
      description: t`Nothing limits these calls by it any more, and nobody is told what they cost.`,
      confirmButtonText: t`Delete`,
      destructive: true,
      action: async () => {
        await removal.run(budget);
      },
    });
  };
}
