import { isRecord } from "../../usage/reported-usage.ts";

/** Returns the hosts that Hugging Face's router can pass a call to a model on to; none in the list of another provider. */
export function listLiveHosts({ providers }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(providers) ? providers.filter(isRecord).filter(({ status }) => status === "live") : [];
}

/** Returns the value that all hosts have; null if they differ or there are none, since the router chooses among them. */
export function readAgreed<Value>(values: readonly (Value | null)[]): Value | null {
  const [first = null] = values;
  return values.every((value) => value === first) ? first : null;
}
