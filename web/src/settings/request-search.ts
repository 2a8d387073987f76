/** The filters of the request log, as the address holds them. */
export interface RequestSearch {
  search?: string;
  status?: string;
  method?: string;
}
