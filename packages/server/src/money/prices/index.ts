import type { Audit } from "../../platform/core/audit.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Ids } from "../../platform/core/ids.ts";
import type { Replicas } from "../../platform/core/replicas/replicas.ts";
import { createPriceBook } from "./price-book.ts";
import { createPricesRepository } from "./prices.repository.ts";
import { priceRoutes } from "./prices.routes.ts";

type Ports = { db: Database; audit: Audit; clock: Clock; ids: Ids; replicas: Replicas };

/** Creates the prices of models for plans that are charged by request. */
export function createPricesModule(ports: Ports) {
  const pricesRepository = createPricesRepository(ports.db);
  const priceBook = createPriceBook(pricesRepository, ports);
  return {
    routes: priceRoutes({ ...ports, pricesRepository, priceBook }),
    jobs: [],
    api: { priceBook, pricesRepository },
  };
}
export type { PriceBook } from "./price-book.ts";
