/** A page of a list, numbered from 1, with `limit` and `offset` for SQL. */
export type Page = { page: number; perPage: number; limit: number; offset: number };

/** Returns the requested page. `perPage` takes precedence over its alias `per_page`. */
export function parsePage(query: { page?: number; perPage?: number; per_page?: number }, defaultPerPage = 50): Page {
  const page = query.page ?? 1;
  // The contract gives perPage a default, so it counts as given only when it differs.
  const perPage =
    query.per_page !== undefined && (query.perPage ?? defaultPerPage) === defaultPerPage
      ? query.per_page
      : (query.perPage ?? defaultPerPage);
  return { page, perPage, limit: perPage, offset: (page - 1) * perPage };
}

/** Returns the pagination object of list responses. */
export function toPagination({ page, perPage }: Page, total: number) {
  return { current_page: page, per_page: perPage, total_items: total, total_pages: Math.ceil(total / perPage) };
}
