/** Filters of the request log in the address. */
export interface RequestSearch {
  search?: string;
  status?: string;
  method?: string;
}
