import type { Collection } from "@feather/sdk";
import { t } from "@lingui/core/macro";

/** Says who may read a collection. */
export const describeAccess = (access: Collection["access"]): string =>
  access === "owner" ? t`only you` : t`all members`;
