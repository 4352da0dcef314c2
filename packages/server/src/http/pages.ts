export type Page = { page: number; perPage: number; limit: number; offset: number };

/** The page a query asks for. `perPage` wins over `per_page`. */
export function pageOf(query: { page?: number; perPage?: number; per_page?: number }, usual = 50): Page {
  const page = query.page ?? 1;
  // The contract gives perPage a default, so it counts as given only when it differs.
  const perPage =
    query.per_page !== undefined && (query.perPage ?? usual) === usual ? query.per_page : (query.perPage ?? usual);
  return { page, perPage, limit: perPage, offset: (page - 1) * perPage };
}

export function pagination({ page, perPage }: Page, total: number) {
  return { current_page: page, per_page: perPage, total_items: total, total_pages: Math.ceil(total / perPage) };
}
