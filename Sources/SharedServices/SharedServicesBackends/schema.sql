-- The tables behind the shared services, for PostgreSQL 15 with Supabase's auth schema.
--
-- Each user sees and writes only what is their own. UNIQUE (user_id, name) on children is what makes a conflict (409)
-- possible; without it, no client could ever see one.

CREATE TABLE public.children (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
  name text NOT NULL CHECK (name ~ '[^[:space:]]'),
  age integer NOT NULL CHECK (age BETWEEN 6 AND 16),
  birthday date NOT NULL CHECK (birthday <= (now() AT TIME ZONE 'utc')::date),
  goals text[] NOT NULL DEFAULT '{}',
  topics text[] NOT NULL DEFAULT '{}',
  temperament text NOT NULL DEFAULT 'easygoing'
    CHECK (temperament IN ('easygoing', 'sensitive', 'spirited', 'cautious')),
  temperament_talkative integer NOT NULL DEFAULT 5 CHECK (temperament_talkative BETWEEN 1 AND 10),
  temperament_sensitivity integer NOT NULL DEFAULT 5 CHECK (temperament_sensitivity BETWEEN 1 AND 10),
  temperament_accountability integer NOT NULL DEFAULT 5 CHECK (temperament_accountability BETWEEN 1 AND 10),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, name)
);

CREATE TABLE public.conversations (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES auth.users (id) ON DELETE CASCADE,
  child_id uuid NOT NULL REFERENCES public.children (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE public.messages (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  conversation_id uuid NOT NULL REFERENCES public.conversations (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
  content text NOT NULL,
  sources jsonb,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE public.child_memory (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  child_id uuid NOT NULL UNIQUE REFERENCES public.children (id) ON DELETE CASCADE,
  content jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION public.set_updated_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at = now();
  RETURN NEW;
END $$;

CREATE TRIGGER set_updated_at BEFORE UPDATE ON public.children
  FOR EACH ROW EXECUTE FUNCTION public.set_updated_at();
CREATE TRIGGER set_updated_at BEFORE UPDATE ON public.conversations
  FOR EACH ROW EXECUTE FUNCTION public.set_updated_at();
CREATE TRIGGER set_updated_at BEFORE UPDATE ON public.child_memory
  FOR EACH ROW EXECUTE FUNCTION public.set_updated_at();

ALTER TABLE public.children ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.conversations ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE public.child_memory ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON public.children
  USING (user_id = auth.uid()) WITH CHECK (user_id = auth.uid());

-- PostgreSQL's foreign keys do not ask for policies, so the policy asks whose child it is.
CREATE POLICY own ON public.conversations
  USING (user_id = auth.uid())
  WITH CHECK (
    user_id = auth.uid()
    AND EXISTS (SELECT FROM public.children c WHERE c.id = child_id AND c.user_id = auth.uid())
  );

CREATE POLICY own ON public.messages
  USING (EXISTS (SELECT FROM public.conversations c WHERE c.id = conversation_id AND c.user_id = auth.uid()))
  WITH CHECK (EXISTS (SELECT FROM public.conversations c WHERE c.id = conversation_id AND c.user_id = auth.uid()));

CREATE POLICY own ON public.child_memory
  USING (EXISTS (SELECT FROM public.children c WHERE c.id = child_id AND c.user_id = auth.uid()))
  WITH CHECK (EXISTS (SELECT FROM public.children c WHERE c.id = child_id AND c.user_id = auth.uid()));

-- Realtime follows the tables of this publication.
ALTER PUBLICATION supabase_realtime ADD TABLE
  public.children, public.conversations, public.messages, public.child_memory;
