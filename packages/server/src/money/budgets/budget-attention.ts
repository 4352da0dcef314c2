import { type AttentionItem, type ListAttention, toAttentionItem } from "../../platform/core/attention.ts";
import { type BudgetDetails, createBudgetsRepository } from "./budgets.repository.ts";

/** Returns the budgets that are spent, or of which so much is spent that a warning was due. */
export const listBudgetAttention: ListAttention = async (db, { organizationId, onlyUser, now, limit }) => {
  const budgets = await createBudgetsRepository(db).list(organizationId, onlyUser, now);
  return budgets.flatMap(toItem).slice(0, limit);
};

function toItem(budget: BudgetDetails): AttentionItem[] {
  const { user_id, user_name, hard, warning_percent } = budget;
  const [spent, amount] = [BigInt(budget.spent_nano_usd), BigInt(budget.amount_nano_usd)];
  if (spent * 100n < amount * BigInt(warning_percent)) return [];
  const isSpent = spent >= amount;
  const whose = user_id === null ? "The organization's budget" : `The budget of ${user_name}`;
  const effect = hard ? ", so calls are refused" : "";
  return [
    toAttentionItem({
      kind: "budget_spent",
      severity: isSpent && hard ? "error" : "warning",
      subject_id: user_id,
      subject: user_name,
      message: isSpent ? `${whose} is spent${effect}.` : `${warning_percent} % of ${lowerFirst(whose)} is spent.`,
    }),
  ];
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
