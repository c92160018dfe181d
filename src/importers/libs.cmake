set(ROOM_LIBS simdjson::simdjson)
