import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { tokenListQuery } from '../../api/tokens.ts';

/** Beside changes that end the other sessions of the user: programs may keep their tokens, or not. */
export function useTokenRevocation({ enabled }: { enabled: boolean }) {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...tokenListQuery, enabled });
  const [isChosen, setChosen] = useState(false);
  const isOffered = enabled && data !== undefined && data.api_tokens.length > 0;
  return {
    isChosen: isOffered && isChosen,
    /** Nothing for users without tokens. */
    checkbox: isOffered && (
      <Checkbox
        label="Also revoke my API tokens"
        checked={isChosen}
        onChange={(event) => setChosen(event.currentTarget.checked)}
      />
    ),
    /** After the change. */
    async finish(): Promise<void> {
      setChosen(false);
      await queryClient.invalidateQueries({ queryKey: tokenListQuery.queryKey });
    },
  };
}
