import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { tokenListQuery } from '../../api/tokens.ts';

/** Offered with changes that end the other sessions of the user. */
export function useTokenRevocation({ enabled }: { enabled: boolean }) {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...tokenListQuery, enabled });
  const [isChosen, setChosen] = useState(false);
  const isOffered = enabled && data !== undefined && data.api_tokens.length > 0;
  return {
    isChosen: isOffered && isChosen,
    /** False for users without tokens. */
    checkbox: isOffered && (
      <Checkbox
        label="Also revoke my API tokens"
        checked={isChosen}
        onChange={(event) => setChosen(event.currentTarget.checked)}
      />
    ),
    /** Call it after the change. */
    async finish(): Promise<void> {
      setChosen(false);
      await queryClient.invalidateQueries({ queryKey: tokenListQuery.queryKey });
    },
  };
}
