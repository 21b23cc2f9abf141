/** The counts in every page of a list. */
export const pageCountsOf = (records: unknown[], total: number, limit: number) => ({
  count: records.length,
  total,
  totalPages: Math.ceil(total / limit),
});
